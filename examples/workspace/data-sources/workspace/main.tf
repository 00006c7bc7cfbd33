terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_workspace" "this" {}

# The machine exists only while the workspace runs.
resource "terraform_data" "machine" {
  count = data.workspace_workspace.this.start_count
  input = {
    name = "machine-of-${data.workspace_workspace.this.name}"
  }
}
# #endregion
