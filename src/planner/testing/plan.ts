import { failures } from "../../core/failure/failure";
import type { IConstruct } from "constructs";
import { didYouMean } from "../../core/schema";
import { isWithin } from "../changes/attribute-changes";
import type { Changes, ResourceChange } from "../changes/changes";
import type { ConstructOf } from "../changes/construct-place";
import { type Forecast, forecastText, summaryOf } from "../changes/forecast";
import { unknown } from "../changes/masked-value";

/** A construct with one or more resources, or the address of a resource, such as `ids_endpoint.edge`. */
export type PlanTarget = IConstruct | string;

interface PlanParts {
  readonly stackName: string;
  readonly comparedWith: string;
  readonly forecast: Forecast;
  /** The addresses of the resources and data sources in the stack, without the keys of instances. */
  readonly blocks: readonly string[];
  /** The addresses of all planned instances, including unchanged ones. */
  readonly instances: readonly string[];
  readonly constructOf: ConstructOf;
  readonly addressesIn: (construct: IConstruct) => readonly string[];
}

/** The planned change of an instance; undefined if it does not change. */
export type PlannedInstance = readonly [address: string, change: ResourceChange | undefined];

/** What a deployment of a stack would do. Contains no secrets. */
export class Plan implements Forecast {
  readonly changes: Changes | undefined;
  readonly renames: Forecast["renames"];
  readonly diagnostics: Forecast["diagnostics"];
  readonly notPlanned: Forecast["notPlanned"];
  readonly unknownValues: Forecast["unknownValues"];
  readonly #parts: PlanParts;

  /** @internal Use `planOf`. */
  constructor(parts: PlanParts) {
    const { changes, renames, diagnostics, notPlanned, unknownValues } = parts.forecast;
    this.changes = changes;
    this.renames = renames;
    this.diagnostics = diagnostics;
    this.notPlanned = notPlanned;
    this.unknownValues = unknownValues;
    this.#parts = parts;
  }

  /** The plan as `trivet check` prints it. It is the same in each run, so it can be a snapshot. */
  get text(): string {
    const { stackName, comparedWith } = this.#parts;
    return `${this.textOf(this)}${stackName}: ${summaryOf(this)}, compared with ${comparedWith}\n`;
  }

  /** Returns the text, for snapshots. */
  toJSON(): string {
    return this.text;
  }

  textOf(part: Partial<Forecast>): string {
    const nothing = {
      changes: undefined,
      renames: [],
      diagnostics: [],
      notPlanned: [],
      unknownValues: [],
    };
    const { constructOf } = this.#parts;
    return forecastText({ ...nothing, ...part }, { constructOf });
  }

  /**
   * Returns the planned changes of the instances of a target.
   *
   * @throws NoAnswerError if they do not exist, or are not planned
   */
  plannedFor(target: PlanTarget): readonly PlannedInstance[] {
    const wanted = this.addressesOf(target);
    const isWanted = (address: string): boolean => wanted.some((each) => isIn(each, address));
    const hidden = this.notPlanned.find(({ address }) => isWanted(address));
    if (hidden !== undefined) {
      throw noAnswerError("NO_ANSWER", `${hidden.address} is not planned: ${hidden.reason}.`);
    }
    return this.#parts.instances.flatMap((address): readonly PlannedInstance[] => {
      const change = this.#changeOf(address);
      const isFound = isWanted(address) || isWanted(change?.previousAddress ?? "");
      return isFound ? [[address, change]] : [];
    });
  }

  /**
   * Returns the addresses of a target.
   *
   * @throws NoAnswerError if they are neither in the stack nor deployed
   */
  addressesOf(target: PlanTarget): readonly string[] {
    const known = this.#knownAddresses();
    if (typeof target === "string") {
      if (known.has(target)) return [target];
      throw noAnswerError(
        "NO_ANSWER",
        `${target} is neither in the stack nor deployed${didYouMean(target, known)}`,
      );
    }
    const addresses = this.#parts.addressesIn(target);
    const found = addresses.filter((address) => known.has(address) || !isResource(address));
    if (found.length > 0) return found;
    const { path } = target.node;
    throw noAnswerError(
      "NO_ANSWER",
      addresses.length === 0
        ? `${path} has no resource.`
        : `${path} is neither in the stack nor deployed. Is it in another stack?`,
    );
  }

  /** The paths of attributes whose new values are unknown, but certainly differ. */
  certainPaths(address: string): readonly string[] {
    return this.unknownValues.flatMap((each) =>
      each.address === address && each.isAnother === true ? [each.attribute] : [],
    );
  }

  /**
   * Checks that an answer does not depend on unknown values.
   *
   * @param isDetailed true if the question is also about the attributes that change
   * @throws NoAnswerError if it does
   */
  requireKnown(change: ResourceChange | undefined, isDetailed: boolean): void {
    if (change?.action !== "update" && change?.action !== "replace") return;
    const { address, action, reason } = change;
    const unknownValues = this.unknownValues.filter(
      (each) => each.address === address && each.isAnother !== true,
    );
    const { settled } = settledPaths(change, this.certainPaths(address));
    const forcing = forcingPaths(change).some((path) => settled.includes(path));
    const isDecided = action === "update" ? settled.length > 0 : forcing || reason !== undefined;
    if (unknownValues.length === 0 || (isDecided && !isDetailed)) return;
    throw noAnswerError(
      "NO_ANSWER",
      `Not all values of ${address} are known, so the plan does not show what changes:\n\n${this.textOf({ unknownValues })}`,
    );
  }

  #changeOf(address: string): ResourceChange | undefined {
    return this.changes?.resources.find((change) => change.address === address);
  }

  #knownAddresses(): ReadonlySet<string> {
    const { blocks, instances } = this.#parts;
    const previous = this.changes?.resources.flatMap((each) => each.previousAddress ?? []) ?? [];
    const found = this.diagnostics.flatMap(({ address }) => address ?? []);
    const hidden = this.notPlanned.map(({ address }) => address);
    const all = [...blocks, ...instances, ...previous, ...found, ...hidden];
    return new Set([...all, ...all.map(withoutKey)]);
  }
}

/** Thrown for a question that a plan cannot answer. The message is a sentence that says why. */
export const [noAnswerError, isNoAnswerError] = failures<"NO_ANSWER">("NoAnswerError");

const isResource = (address: string): boolean =>
  !/^(?:provider|output|var|local|module)\./.test(address);

const withoutKey = (address: string): string => address.replace(/\[[^]*\]$/, "");

/** Checks whether a resource has an address, itself or as one of its instances. */
export const isIn = (resource: string, address: string): boolean =>
  address === resource || address.startsWith(`${resource}[`);

export function actionSentence(address: string, change: ResourceChange | undefined): string {
  if (change === undefined) return `The plan does not change ${address}.`;
  const { action, reason, previousAddress = "" } = change;
  const why = reason === undefined ? "" : `: ${reason}`;
  const forcing = forcingPaths(change).join(", ");
  const sentences: Readonly<Record<ResourceChange["action"], string>> = {
    create: `creates ${address}`,
    update: `updates ${address}`,
    replace: `replaces ${address}${forcing === "" ? why : `, because of ${forcing}`}`,
    delete: `destroys ${address}${why}`,
    read: `reads ${address}${why}`,
    forget: `removes ${address} from the state, but does not destroy it`,
    import: `imports ${address}`,
    move: `does not change ${address}, which has moved from ${previousAddress}`,
  };
  return `The plan ${sentences[action]}.`;
}

export const forcingPaths = ({ attributes }: ResourceChange): readonly string[] =>
  attributes.filter(({ forcesReplacement }) => forcesReplacement).map(({ path }) => path);

/**
 * The attributes that change, and those that certainly do.
 *
 * @param certain paths whose new values are unknown, but certainly differ
 */
export function settledPaths({ attributes }: ResourceChange, certain: readonly string[]) {
  const settled = attributes.filter(
    ({ path, after }) => after !== unknown || certain.some((each) => isWithin(each, path)),
  );
  return {
    changed: attributes.map(({ path }) => path),
    settled: settled.map(({ path }) => path),
  };
}

/**
 * Compares the paths of attributes. A path includes everything below it.
 *
 * @param possible the paths that may be expected
 * @param necessary the paths that must be expected
 */
export function mismatches(
  expected: readonly string[],
  possible: readonly string[],
  necessary: readonly string[],
) {
  return {
    missing: expected.filter((path) => !possible.some((each) => isWithin(each, path))),
    extra: necessary.filter((each) => !expected.some((path) => isWithin(each, path))),
  };
}
