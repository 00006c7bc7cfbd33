terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}

# #region
resource "workspace_agent" "main" {
  os             = "linux"
  arch           = "amd64"
  startup_script = "make setup"

  env = {
    EDITOR = "vim"
  }

  display_apps {
    editor       = false
    web_terminal = true
  }

  metadata {
    key          = "load"
    display_name = "Load"
    script       = "cut -d' ' -f1 /proc/loadavg"
    interval     = 10
    timeout      = 2
  }

  resources_monitoring {
    memory {
      enabled   = true
      threshold = 80
    }
    volume {
      path      = "/home/dev"
      enabled   = true
      threshold = 90
    }
  }
}

# The machine of the workspace. It runs the agent's script at boot.
resource "terraform_data" "machine" {
  input = {
    init_script = workspace_agent.main.init_script
    token       = workspace_agent.main.token
  }
}
# #endregion
