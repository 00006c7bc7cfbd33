import { element, badge, notice, notices } from "../../../service/page/browser/element.js";
import type { AttachedItem, ImageTree } from "../../../../core/signing/tree/image-tree";
import type { PageImage } from "../page-data";
import {
  checkBadge,
  checkNotice,
  code,
  colouredBadge,
  factList,
  moment,
  candidateKey,
  countedBy,
  verdictCard,
} from "./verdict-panel.js";

export function imagePanel(
  { tree, facts, verdict, ...outcome }: PageImage,
  show: (image: string) => void,
): readonly HTMLElement[] {
  const counted = verdict === undefined ? new Map() : countedBy(verdict);
  return [verdictCard(outcome), imageNode(tree, { counted, facts: [...facts], show })];
}

function imageNode(
  { attached, images, notes }: ImageTree,
  shown: {
    readonly counted: ReadonlyMap<string, readonly string[]>;
    /** Of what is still to be shown. */
    readonly facts: (readonly string[])[];
    readonly show: (image: string) => void;
  },
): HTMLElement {
  const details = (item: AttachedItem): HTMLElement => {
    const facts = shown.facts.shift() ?? [];
    return itemDetails(item, shown.counted.get(signedPlace(item)) ?? [], facts);
  };
  const isEmpty = attached.length + images.length + notes.length === 0;
  return element(
    "ul",
    { class: "tree" },
    attached.map((item) => element("li", {}, details(item))),
    images.map((each) => element("li", {}, childTitle(each, shown.show), imageNode(each, shown))),
    notes.map((note) => element("li", {}, notices(notice("warning", note)))),
    isEmpty ? element("li", { class: "empty" }, "Nothing is attached.") : undefined,
  );
}

function childTitle(
  { image, platform, isAboutImage = false }: ImageTree,
  show: (image: string) => void,
): HTMLElement {
  const digest = image.slice(image.indexOf("@") + 1);
  const name = platform ?? "Image";
  return element(
    "div",
    { class: "child" },
    element("strong", {}, name),
    isAboutImage ? badge("attached by the builder") : undefined,
    code(digest),
    element(
      "button",
      {
        type: "button",
        class: "quiet",
        "data-key": `show ${image}`,
        "aria-label": `Show ${name} ${digest}`,
        click: () => show(image),
      },
      "Show",
    ),
  );
}

/** Returns the place and the signer, as the candidates of policies have them. */
function signedPlace({ place, signer }: AttachedItem): string {
  if (signer === undefined) return place;
  return candidateKey(place, "key" in signer ? signer.key : signer.subject);
}

const titles = {
  signature: "Signature",
  attestation: "Attestation",
  artifact: "Artifact",
} as const;

function itemDetails(
  item: AttachedItem,
  policies: readonly string[],
  facts: readonly string[],
): HTMLElement {
  const { kind, place, check, certificate, logEntries } = item;
  // Signatures under a tag are about the same content, in the same place.
  const key = [place, certificate?.serialNumber, logEntries[0]?.index].join(" ");
  return element(
    "details",
    { class: "item", "data-key": key, "data-place": signedPlace(item) },
    element(
      "summary",
      {},
      element(
        "span",
        { class: "row" },
        element("strong", {}, titles[kind]),
        kind === "artifact" ? undefined : checkBadge(check),
        badge(item.format === "legacy" ? "under a tag" : formats[item.format]),
        policies.map((policy) => colouredBadge("good", `counts for ${policy}`)),
      ),
      element("span", { class: "help" }, whoAndWhen(item)),
    ),
    element(
      "div",
      { class: "evidence" },
      kind === "artifact" ? undefined : checkNotice(check),
      element("p", { class: "help" }, "It is ", code(place), "."),
      factList(facts),
    ),
  );
}

const formats = { bundle: "Sigstore bundle", other: "referrer" } as const;

function whoAndWhen({ kind, type, signer, signed, certificate }: AttachedItem): string {
  const claimed = certificate?.subjects.join(" and ");
  const unknown = claimed === undefined ? "" : `claims to be by ${claimed}`;
  const known =
    signer && ("key" in signer ? `by the key ${signer.key.slice(0, 16)}…` : `by ${signer.subject}`);
  return [
    ...(kind === "signature" || type === undefined ? [] : [type]),
    known ?? unknown,
    signed === undefined ? "" : moment(signed.at),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
