import { Testing } from "cdktf";
import "cdktf/lib/testing/adapters/jest";

// Adds matchers for the resources of all providers, such as `toHaveResource`.
Testing.setupJest();
