import { allTests } from "../all-tests";
import { describeFullProject, describeSingleProjects } from "./new-project-cases";

// What differs with cdktn, the imports and the packages, is the same in all projects.
if (allTests) describeSingleProjects("cdktn");
describeFullProject("cdktn");
