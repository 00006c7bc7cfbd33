import { setTimeout as wait } from "node:timers/promises";
import {
  computed,
  dataSource,
  implement,
  implementDataSource,
  known,
  provider,
  ProviderError,
  providerRoutes,
  required,
  resource,
  serve,
  t,
} from "../../../../../src/core/provider-kit";

const doc = "x";

export const shop = provider("shop", {
  doc,
  attributes: { url: required(t.string(), { doc }), patienceMs: required(t.string(), { doc }) },
});

/** What handlers receive. */
interface Client {
  readonly url: string;
  readonly patienceMs: number;
}

export const saw = resource("shop_saw", {
  doc,
  attributes: {
    name: required(t.string(), { doc, requiresReplace: true }),
    size: required(t.string(), { doc }),
    sawId: computed(t.string(), { doc, useStateForUnknown: true }),
  },
});

export const stock = dataSource("shop_stock", {
  doc,
  attributes: { total: computed(t.string(), { doc }) },
});

/**
 * What the provider does wrong. The careful one names what it creates, so that creating it twice makes no
 * difference, and reports what fails.
 */
const mistake = process.env["MISTAKE"] ?? "none";

async function call(
  { url, patienceMs }: Client,
  method: string,
  path: string,
  size?: string,
): Promise<string> {
  const attempt = async (): Promise<string> => {
    const body = size === undefined ? {} : { body: size };
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(new URL(path, url), { method, signal, ...body });
    if (response.status === 404) return "";
    return response.text();
  };
  try {
    return await attempt();
  } catch (cause) {
    if (mistake === "bugs") throw cause;
    if (mistake === "hangs") await wait(3_600_000);
    throw new ProviderError({ summary: "No Answer", detail: `${method} ${path} failed.`, cause });
  }
}

const handlers = implement(saw)<Client>({
  async create(plan, { client }) {
    const [method, path] =
      mistake === "doubles" ? ["POST", "/saws"] : ["PUT", `/saws/${plan.name}`];
    return known({ ...plan, sawId: await call(client, method, path, plan.size) });
  },
  async read(state, { client }) {
    const size = await call(client, "GET", `/saws/${state.sawId ?? ""}`);
    return size === "" ? undefined : { ...state, size };
  },
  async update(plan, state, { client }) {
    const updated = call(client, "PUT", `/saws/${state.sawId ?? ""}`, plan.size);
    // Says that it has succeeded, whatever has happened.
    await (mistake === "lies" ? updated.catch(() => undefined) : updated);
    return known({ ...plan, sawId: state.sawId });
  },
  async delete(state, { client }) {
    const deleted = call(client, "DELETE", `/saws/${state.sawId ?? ""}`);
    await (mistake === "forgets" ? deleted.catch(() => undefined) : deleted);
  },
});

if (require.main === module) {
  serve({
    name: "shop",
    version: "0.0.1",
    source: "example.test/tools/shop",
    routes: providerRoutes({
      declaration: shop,
      configure: ({ url, patienceMs }) => ({ url: String(url), patienceMs: Number(patienceMs) }),
      resources: [handlers],
      dataSources: [
        implementDataSource(stock)<Client>({
          read: async (_, { client }) => ({ total: await call(client, "GET", "/saws") }),
        }),
      ],
    }),
  });
}
