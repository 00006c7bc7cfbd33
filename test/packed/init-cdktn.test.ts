import { describeNewProjects } from "./new-project-cases";

describeNewProjects("cdktn");
