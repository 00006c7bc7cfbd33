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

resource "workspace_script" "setup" {
  agent_id           = workspace_agent.main.id
  display_name       = "Set up"
  script             = "make setup"
  run_on_start       = true
  start_blocks_login = true
  timeout            = 600
}

resource "workspace_script" "backup" {
  agent_id     = workspace_agent.main.id
  display_name = "Back up"
  script       = "make backup"
  cron         = "0 0 3 * * *" # at 3:00:00 every night
}
# #endregion

resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}
