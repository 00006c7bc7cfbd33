import { checkedPlatform, terraformPlatform } from "../../../src/cli/package/platform";

describe("a platform", () => {
  it("has Terraform's name", () => {
    expect(terraformPlatform("linux", "x64")).toBe("linux_amd64");
    expect(terraformPlatform("darwin", "arm64")).toBe("darwin_arm64");
  });

  it("of this machine is accepted", () => {
    expect(checkedPlatform(terraformPlatform())).toBe(terraformPlatform());
  });

  it.each([
    ["foo", /^The platform "foo" does not exist\.$/],
    ["linux_potato", /"linux_potato" does not exist/],
    ["darwin_s390x", /"darwin_s390x" does not exist/],
    ["linux-amd64", /; did you mean "linux_amd64"\?$/],
    ["../../elsewhere", /does not exist/],
    ["windows_amd64", /POSIX shell, which Terraform on Windows does not use/],
  ])("%s is refused as a mistake in the command line", (name, message) => {
    expect(() => checkedPlatform(name)).toThrow(message);
    expect(() => checkedPlatform(name)).toThrow(expect.objectContaining({ exitCode: 2 }) as Error);
  });
});
