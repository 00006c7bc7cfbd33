import { isAbsolutePath } from "../../../../src/core/workspace/agent/declare";

test.each(["/", "/home/me", "//a"])("%j is absolute on Linux and macOS", (path) => {
  expect(isAbsolutePath(path, "linux")).toBe(true);
  expect(isAbsolutePath(path, "darwin")).toBe(true);
});

test.each(["", "home", "~/a", "C:/data", "C:\\data", "\\a"])(
  "%j is relative on Linux and macOS",
  (path) => {
    expect(isAbsolutePath(path, "linux")).toBe(false);
    expect(isAbsolutePath(path, "darwin")).toBe(false);
  },
);

test.each(["C:\\", "c:/data", "\\\\server\\share", "//server/share/a", "\\\\?\\C:\\a"])(
  "%j is absolute on Windows",
  (path) => expect(isAbsolutePath(path, "windows")).toBe(true),
);

test.each(["", "/data", "\\data", "C:", "C:data", "CC:\\", "\\\\server", "1:\\", "~\\a"])(
  "%j is relative on Windows",
  (path) => expect(isAbsolutePath(path, "windows")).toBe(false),
);
