import { sample } from "../all-tests";
import { describeFullProject, describeSingleProjects } from "./new-project-cases";

// The project for all providers has what the others have, and is tried with cdktn.
for (const describeProjects of sample(
  [describeSingleProjects, describeFullProject],
  [describeSingleProjects],
)) {
  describeProjects("cdktf");
}
