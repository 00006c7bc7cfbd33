import { tryPipeline } from "./pipeline-trial";

test("the pipeline of gitlab applies the reviewed plan, and no other", () => tryPipeline("gitlab"));
