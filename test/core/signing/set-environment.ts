import { closeAfterTest } from "../http/close-after-test";

/** Changes the environment of this process, the only one that the libraries of clouds read, for one test. */
export function setEnvironment(variables: NodeJS.ProcessEnv): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  closeAfterTest(() => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    return Promise.resolve();
  });
}
