import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow } from "../../../accept/table";
import { invalid, missing, rowsOn } from "../../../accept/row";

const { accepts, refuses } = rowsOn({ os: "linux", arch: "amd64" });

export const memory = { enabled: true, threshold: 80 };
const volume = { path: "/home", enabled: true, threshold: 90 };

const volumesOn = (os: string, ...paths: unknown[]): object => ({
  os,
  resourcesMonitoring: { volumes: paths.map((path) => ({ ...volume, path })) },
});

const inVolume = (index: number, field: string) =>
  ["resourcesMonitoring", "volumes", index, field] as const;

/** The rules on what an agent monitors. */
export const monitoringRows: readonly AcceptanceRow[] = [
  accepts("monitoring of the memory", { resourcesMonitoring: { memory } }),
  accepts("monitoring of volumes", {
    resourcesMonitoring: { volumes: [volume, { ...volume, path: "/data" }] },
  }),
  accepts("monitoring of both", { resourcesMonitoring: { memory, volumes: [volume] } }),
  ...[0, 100].map((threshold) =>
    accepts(`a threshold of ${threshold}`, {
      resourcesMonitoring: { memory: { enabled: false, threshold } },
    }),
  ),
  accepts("unknown values in the monitoring", {
    resourcesMonitoring: {
      memory: { enabled: UNKNOWN, threshold: UNKNOWN },
      volumes: [{ path: UNKNOWN, enabled: UNKNOWN, threshold: UNKNOWN }],
    },
  }),
  refuses(
    "monitoring of nothing",
    { resourcesMonitoring: {} },
    missing("resourcesMonitoring", "memory"),
  ),
  ...[-1, 101].map((threshold) =>
    refuses(
      `a threshold of ${threshold} for the memory`,
      { resourcesMonitoring: { memory: { enabled: true, threshold } } },
      invalid("resourcesMonitoring", "memory", "threshold"),
    ),
  ),
  refuses(
    "a threshold of 101 for a volume",
    { resourcesMonitoring: { volumes: [{ ...volume, threshold: 101 }] } },
    invalid(...inVolume(0, "threshold")),
  ),
  ...(["enabled", "threshold"] as const).map((field) =>
    refuses(
      `monitoring of the memory without ${field}`,
      { resourcesMonitoring: { memory: { ...memory, [field]: undefined } } },
      missing("resourcesMonitoring", "memory", field),
    ),
  ),
  ...(["path", "enabled", "threshold"] as const).map((field) =>
    refuses(
      `monitoring of a volume without ${field}`,
      { resourcesMonitoring: { volumes: [{ ...volume, [field]: undefined }] } },
      missing(...inVolume(0, field)),
    ),
  ),
  accepts("an absolute path on linux", volumesOn("linux", "/")),
  accepts("an absolute path on darwin", volumesOn("darwin", "/Volumes/data")),
  accepts("a path with a drive on windows", volumesOn("windows", "C:/data", "D:\\")),
  accepts("any path on a system that is unknown", {
    ...volumesOn("linux", "C:/data"),
    os: UNKNOWN,
  }),
  refuses("an empty path", volumesOn("linux", ""), invalid(...inVolume(0, "path"))),
  refuses("a relative path", volumesOn("linux", "data"), invalid(...inVolume(0, "path"))),
  refuses(
    "a path with a drive on linux",
    volumesOn("linux", "C:/data"),
    invalid(...inVolume(0, "path")),
  ),
  refuses(
    "a relative path on windows",
    volumesOn("windows", "C:\\data", "data"),
    invalid(...inVolume(1, "path")),
  ),
  refuses(
    "a path without a drive on windows",
    volumesOn("windows", "/data"),
    invalid(...inVolume(0, "path")),
  ),
  refuses(
    "two volumes with the same path",
    {
      resourcesMonitoring: { volumes: [volume, { ...volume, threshold: 50 }] },
    },
    invalid(...inVolume(1, "path")),
  ),
  accepts("two volumes whose paths are unknown", volumesOn("linux", UNKNOWN, UNKNOWN)),
];
