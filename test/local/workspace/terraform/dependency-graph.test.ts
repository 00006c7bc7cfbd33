import { DependencyGraph } from "../../../../src/local/workspace/terraform/dependency-graph";

const labels = [
  "vm.a",
  "vm.b",
  "vm.far",
  "workspace_app.web",
  "workspace_agent.main",
  "module.m.vm.b",
];
const graph = new DependencyGraph(`digraph {
	compound = "true"
	subgraph "root" {
${labels.map((label) => `		"[root] ${label} (expand)" [label = "${label}", shape = "box"]`).join("\n")}
		"[root] provider[\\"a.test/b/c\\"]" [label = "provider[\\"a.test/b/c\\"]", shape = "diamond"]
		"[root] vm.b (expand)" -> "[root] local.script (expand)"
		"[root] vm.a (expand)" -> "[root] local.script (expand)"
		"[root] local.script (expand)" -> "[root] workspace_agent.main (expand)"
		"[root] vm.far (expand)" -> "[root] vm.a (expand)"
		"[root] workspace_app.web (expand)" -> "[root] workspace_agent.main (expand)"
		"[root] workspace_agent.main (expand)" -> "[root] provider[\\"a.test/b/c\\"]"
		"[root] provider[\\"a.test/b/c\\"] (close)" -> "[root] workspace_app.web (expand)"
		"[root] module.m.vm.b (expand)" -> "[root] module.m (expand)"
		"[root] module.m (close)" -> "[root] module.m.vm.b (expand)"
	}
}`);
const isVm = (label: string) => label.includes("vm.");

it("knows direct dependencies of the root module", () => {
  expect(graph.dependsDirectly("workspace_app.web", "workspace_agent.main")).toBe(true);
  expect(graph.dependsDirectly("vm.a", "workspace_agent.main")).toBe(false);
});

it("finds the first of the nearest dependents, through other nodes", () => {
  expect(graph.nearestDependent("workspace_agent.main", isVm)).toBe("vm.a");
  expect(graph.nearestDependent("vm.far", isVm)).toBeUndefined();
});

it("finds the nearest that something depends on", () => {
  const isAgent = (label: string) => label.endsWith(".main");
  expect(graph.nearestDependency("vm.far", isAgent)).toBe("workspace_agent.main");
});

it("finds resources, but no other nodes, and modules", () => {
  expect(graph.has("module.m.vm.b")).toBe(true);
  expect(graph.has("module.m")).toBe(false);
  expect(graph.has("local.script")).toBe(false);
  expect([graph.hasModule("module.m"), graph.hasModule("module.n")]).toEqual([true, false]);
});
