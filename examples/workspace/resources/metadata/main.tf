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

# The machine of the workspace.
resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
  }
}

resource "workspace_metadata" "facts" {
  resource_id = terraform_data.machine.id
  daily_cost  = 20
  icon        = "/icon/memory.svg"

  item {
    key   = "Memory"
    value = "32 GiB"
  }
  item {
    key       = "Console"
    value     = "https://console.example.com/machines/${terraform_data.machine.id}"
    sensitive = true
  }
}
# #endregion
