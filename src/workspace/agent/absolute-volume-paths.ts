import { type Breach, knownElements, type ResourceRule } from "../../schema";

const doc = "the path of a volume must be absolute on the agent's operating system";

/** Requires that the paths of an agent's monitored volumes are absolute on the agent's operating system. */
export const absoluteVolumePaths: ResourceRule<"os" | "resourcesMonitoring"> = {
  code: "INVALID_ARGUMENT",
  severity: "error",
  inputs: ["os", "resourcesMonitoring"],
  doc: () => doc,
  broken: ({ os, resourcesMonitoring }, _label, isUnknown) => {
    if (os !== "linux" && os !== "darwin" && os !== "windows") return undefined;
    const breaches: Breach<"resourcesMonitoring">[] = [];
    for (const [outer, monitoring] of knownElements(resourcesMonitoring)) {
      for (const [inner, { path }] of knownElements(monitoring["volumes"])) {
        if (typeof path !== "string" || isUnknown(path)) continue;
        // A separate rule reports an empty path.
        if (path.trim() === "" || isAbsolutePath(path, os)) continue;
        breaches.push({
          name: "resourcesMonitoring",
          path: [...outer, "volumes", ...inner, "path"],
          message: `must be absolute on ${os} (got ${JSON.stringify(path)})`,
        });
      }
    }
    return breaches;
  },
};

/** `C:\…`, `C:/…`, or a share such as `\\server\share`. A drive alone or a leading `\` is relative. */
const windows = /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/;

/** Checks whether a path is absolute on an operating system, which may differ from this machine's. */
export function isAbsolutePath(path: string, os: "linux" | "darwin" | "windows"): boolean {
  return os === "windows" ? windows.test(path) : path.startsWith("/");
}
