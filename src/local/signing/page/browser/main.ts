import { element, found, fail } from "../../../service/page/browser/element.js";
import { follow, get, keepToken, post } from "../../../service/page/browser/server.js";
import type {
  ImageSummary,
  LoggedEntry,
  LogName,
  LogPage,
  PageImage,
  PageOverview,
} from "../page-data";
import { imagePanel } from "./image-panel.js";
import { logPanel } from "./log-panel.js";

type Choice = { readonly image: string } | { readonly log: LogName };

const logTitles = { v1: "Version 1 of the log", v2: "Version 2 of the log (tiles)" } as const;

class Page {
  #overview: PageOverview = { registry: "", images: [], logs: [], policies: [] };
  #choice: Choice | undefined;
  /** The last content as JSON: nothing is drawn again unless it has changed. */
  #drawn = "";
  #isLoading = false;
  #hasChanged = false;
  /** Below this index, entries of the log are not shown. */
  #oldest: number | undefined;

  async open(): Promise<void> {
    await this.#refresh();
    const news = (): Promise<void> => this.#refresh(true);
    await follow(() => void news().catch(fail), fail, news);
  }

  /** Signing makes many changes: those during a request are shown by the next one. */
  async #refresh(isNews = false): Promise<void> {
    this.#hasChanged = true;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#hasChanged) {
        this.#hasChanged = false;
        this.#overview = await get<PageOverview>("/api/overview");
        this.#choice ??= firstChoice(this.#overview);
        this.#showLists();
        await this.#showChoice(isNews);
        fail(undefined);
      }
    } finally {
      this.#isLoading = false;
    }
  }

  async #choose(choice: Choice): Promise<void> {
    this.#choice = choice;
    this.#oldest = undefined;
    this.#showLists();
    await this.#showChoice();
    found("detail", HTMLElement).focus();
  }

  readonly #pick = (choice: Choice): void => {
    this.#choose(choice).catch(fail);
  };

  #showLists(): void {
    const { registry, images, logs } = this.#overview;
    found("registry", HTMLElement).textContent = `Images in ${registry}`;
    const chosen = this.#choice;
    const nothing = element("p", { class: "empty" }, "The registry has no images.");
    replaceContent(
      found("images", HTMLElement),
      ...(images.length === 0 ? [nothing] : []),
      ...images.map(({ image, repository, tags: [tag, ...tags] }) =>
        entry({
          key: image,
          title: tag === undefined ? repository : `${repository}:${tag}`,
          help: [...tags, digestOf(image).slice(0, 19)].join(" · "),
          isChosen: chosen !== undefined && "image" in chosen && chosen.image === image,
          click: () => this.#pick({ image }),
        }),
      ),
    );
    replaceContent(
      found("logs", HTMLElement),
      ...logs.map(({ log, size }) =>
        entry({
          key: log,
          title: logTitles[log],
          help: `${size} ${size === 1 ? "entry" : "entries"}`,
          isChosen: chosen !== undefined && "log" in chosen && chosen.log === log,
          click: () => this.#pick({ log }),
        }),
      ),
    );
  }

  async #showChoice(isNews = false): Promise<void> {
    const choice = this.#choice;
    if (choice === undefined) return;
    if ("log" in choice) {
      const page = await this.#logPage(choice.log);
      this.#draw(logTitles[choice.log], page, isNews, () =>
        logPanel(page, () => this.#showOlder(page)),
      );
      return;
    }
    const { image } = choice;
    const name = nameOf(
      this.#overview.images.find((each) => each.image === image),
      this.#overview,
    );
    const shown = await post<PageImage>("/api/image", { image, name });
    // Another one may have been chosen meanwhile.
    if (this.#choice !== choice) return;
    this.#draw(name === "" ? image : name, shown, isNews, () =>
      imagePanel(shown, (child) => this.#pick({ image: child })),
    );
  }

  #draw(title: string, data: unknown, isNews: boolean, panel: () => readonly Node[]): void {
    const drawn = JSON.stringify([title, data]);
    if (drawn === this.#drawn) return;
    const isSame = found("detail-title", HTMLElement).textContent === title;
    this.#drawn = drawn;
    found("detail-title", HTMLElement).textContent = title;
    const content = found("content", HTMLElement);
    if (isSame) replaceContent(content, ...panel());
    else content.replaceChildren(...panel());
    if (isNews && isSame) found("news", HTMLElement).textContent = `${title} has changed.`;
  }

  async #logPage(log: LogName): Promise<LogPage> {
    const first = await post<LogPage>("/api/log", { log });
    const entries: LoggedEntry[] = [...first.entries];
    let last = entries.at(-1)?.index ?? 0;
    while (this.#oldest !== undefined && last > this.#oldest && last > 0) {
      const older = await post<LogPage>("/api/log", { log, before: last });
      entries.push(...older.entries);
      last = older.entries.at(-1)?.index ?? 0;
    }
    return { ...first, entries };
  }

  #showOlder({ entries }: LogPage): void {
    this.#oldest = Math.max(0, (entries.at(-1)?.index ?? 0) - 1);
    this.#showChoice().catch(fail);
  }
}

const firstChoice = ({ images: [first] }: PageOverview): Choice =>
  first === undefined ? { log: "v1" } : { image: first.image };

const digestOf = (image: string): string => image.slice(image.indexOf("@") + 1);

/** The name by its tag, which patterns of policies may match; empty for an image without one. */
function nameOf(summary: ImageSummary | undefined, { registry }: PageOverview): string {
  const [tag] = summary?.tags ?? [];
  return summary === undefined || tag === undefined
    ? ""
    : `${registry}/${summary.repository}:${tag}`;
}

interface Entry {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly isChosen: boolean;
  readonly click: () => void;
}

function entry({ key, title, help, isChosen, click }: Entry): HTMLElement {
  const current = isChosen ? "true" : undefined;
  return element(
    "button",
    { type: "button", class: "entry", "data-key": key, "aria-current": current, click },
    element("strong", {}, title),
    element("span", { class: "help" }, help),
  );
}

/**
 * Replaces the content of an element. Open details and the focus move to the new elements with the same `data-key`.
 */
function replaceContent(parent: Element, ...content: readonly Node[]): void {
  const open = new Set(keyed(parent, "details[open]").map(keyOf));
  const focused = document.activeElement?.closest<HTMLElement>("[data-key]");
  const key = focused && parent.contains(focused) ? keyOf(focused) : undefined;
  parent.replaceChildren(...content);
  for (const details of keyed(parent, "details")) {
    if (open.has(keyOf(details))) details.setAttribute("open", "");
  }
  if (key === undefined) return;
  const again = keyed(parent, "[data-key]").find((each) => keyOf(each) === key);
  (again?.querySelector("summary") ?? again)?.focus();
}

const keyed = (parent: Element, selector: string): readonly HTMLElement[] => [
  ...parent.querySelectorAll<HTMLElement>(selector),
];

const keyOf = ({ dataset }: HTMLElement): string | undefined => dataset["key"];

keepToken();
new Page().open().catch(fail);
