import { describeIdsProject } from "./new-project-cases";

describeIdsProject("cdktf");
