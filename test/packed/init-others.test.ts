import { sample } from "../all-tests";
import { describeFullProject, describeOtherProjects } from "./new-project-cases";

// The project for all providers has what the others have, and is tried with cdktn.
for (const describeProjects of sample(
  [describeOtherProjects, describeFullProject],
  [describeOtherProjects],
)) {
  describeProjects("cdktf");
}
