terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
data "workspace_task" "this" {}
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"

  env = {
    TASK_PROMPT = data.workspace_task.this.prompt
  }
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
