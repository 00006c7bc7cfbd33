import { describeFullProject, describeSingleProjects } from "./new-project-cases";

describeSingleProjects("cdktf");
describeFullProject("cdktf");
