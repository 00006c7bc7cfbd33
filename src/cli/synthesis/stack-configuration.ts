import { resolve } from "node:path";
import {
  bindingPath,
  type ConstructOf,
  constructPlace,
} from "../../planner/changes/construct-place";
import { type Properties, propertiesOf } from "../../core/json/plain-json";
import { merged } from "../../planner/offline-plan/blocks";
import type { Stack } from "./manifest";

/** The facts in a stack's configuration. */
export interface StackConfiguration {
  /** The backend, if it is one with which another service runs Terraform, so that plans cannot be saved as usual. */
  readonly remoteBackend: "cloud" | "remote" | undefined;
  /** The backend that keeps the state elsewhere, such as `s3`; undefined if the state is a file of this machine. */
  readonly sharedBackend: string | undefined;
  /** True if it uses modules, which `terraform init` fetches. */
  readonly hasModules: boolean;
  /** The path of the state, if the stack has the local backend. */
  readonly stateFile: string | undefined;
  readonly constructOf: ConstructOf;
  /** The addresses of its resources and data sources, without the keys of instances. */
  readonly addresses: readonly string[];
  /** Returns the path of a resource's binding in the app, such as `dev/edge/Default`. */
  readonly fullPathOf: (address: string) => string | undefined;
}

/** @param content the configuration of the stack, in Terraform's JSON syntax */
export function configurationOf(
  content: Properties,
  { name, folder, positions }: Pick<Stack, "name" | "folder" | "positions">,
): StackConfiguration {
  const terraform = merged(content["terraform"]);
  const backend = merged(terraform["backend"]);
  const { path } = merged(backend["local"]);
  const sharedBackend =
    "cloud" in terraform ? "cloud" : Object.keys(backend).find((name) => name !== "local");
  return {
    remoteBackend: remoteBackends.find((name) => name === sharedBackend),
    sharedBackend,
    stateFile:
      sharedBackend === undefined
        ? resolve(folder, typeof path === "string" ? path : "terraform.tfstate")
        : undefined,
    hasModules: Object.keys(propertiesOf(content["module"])).length > 0,
    constructOf: (address) => constructPlace(content, { path: name, positions }, address),
    addresses: [...addressesIn(content["resource"], ""), ...addressesIn(content["data"], "data.")],
    fullPathOf: (address) => bindingPath(content, address).path,
  };
}

const remoteBackends = ["cloud", "remote"] as const;

const addressesIn = (blocks: unknown, prefix: string): readonly string[] =>
  Object.entries(propertiesOf(blocks)).flatMap(([type, named]) =>
    Object.keys(propertiesOf(named)).map((name) => `${prefix}${type}.${name}`),
  );
