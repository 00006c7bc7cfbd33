import { terraformOptions } from "../../../src/cli/terraform/with-terraform";

describe("the options for Terraform", () => {
  it("are those of a plan, of which an apply gets what it needs too", () => {
    const options = {
      var: ["a=1"],
      varFile: ["a.tfvars", "/b.tfvars"],
      target: ["x.y"],
      refresh: false,
      parallelism: 3,
    };
    expect(terraformOptions(options, ["-lock-timeout=1s", "-replace=x.y"], "/project")).toEqual({
      plan: [
        "-var=a=1",
        "-var-file=/project/a.tfvars",
        "-var-file=/b.tfvars",
        "-target=x.y",
        "-refresh=false",
        "-parallelism=3",
        "-lock-timeout=1s",
        "-replace=x.y",
      ],
      apply: ["-parallelism=3", "-lock-timeout=1s"],
    });
  });

  it.each(["-out=x", "--out", "-json", "-destroy", "-chdir=.", "-input=true"])(
    "do not include %s, which decides how the plan is used",
    (option) => {
      expect(() => terraformOptions({}, [option], "/project")).toThrow(
        `Terraform's option ${option} cannot be set here.`,
      );
    },
  );
});
