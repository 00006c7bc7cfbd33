/** `C:\…`, `C:/…`, or a share such as `\\server\share`: a drive alone or a leading `\` is relative. */
const windows = /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+)/;

/** Whether a path is absolute by the rules of an operating system, which need not be this machine's. */
export function isAbsolutePath(path: string, os: "linux" | "darwin" | "windows"): boolean {
  return os === "windows" ? windows.test(path) : path.startsWith("/");
}
