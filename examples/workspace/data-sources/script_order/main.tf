terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"
}

resource "workspace_script" "clone" {
  agent_id     = workspace_agent.main.id
  display_name = "Clone"
  script       = "git clone $REPOSITORY"
  run_on_start = true
}

resource "workspace_script" "build" {
  agent_id     = workspace_agent.main.id
  display_name = "Build"
  script       = "make"
  run_on_start = true
}

data "workspace_script_order" "start" {
  rule {
    run   = ["workspace_script.build"]
    after = ["workspace_script.clone"]
  }
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
