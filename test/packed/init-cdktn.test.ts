import { sample } from "../all-tests";
import {
  describeFullProject,
  describeIdsProject,
  describeOtherProjects,
} from "./new-project-cases";

// What differs with cdktn, the imports and the packages, is the same in all projects.
for (const describeProjects of sample(
  [describeIdsProject, describeOtherProjects, describeFullProject],
  [describeFullProject],
)) {
  describeProjects("cdktn");
}
