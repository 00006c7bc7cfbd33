resource "coder_agent" "main" {
  os             = "linux"
  arch           = "amd64"
  auth           = "google-instance-identity"
  env            = { A = "b" }
  startup_script = "echo hi"
  metadata {
    key      = "cpu"
    interval = 10
    script   = "top"
  }
  display_apps {
    vscode_insiders = true
  }
  resources_monitoring {
    memory {
      enabled   = true
      threshold = 80
    }
    volume {
      enabled   = true
      path      = "/home"
      threshold = 90
    }
  }
}
resource "coder_agent" "plain" {
  os   = "linux"
  arch = "arm64"
}
resource "coder_agent_instance" "main" {
  agent_id    = coder_agent.main.id
  instance_id = "i-1"
}
resource "coder_app" "code" {
  agent_id = coder_agent.main.id
  slug     = "code"
  url      = "http://localhost:1"
  healthcheck {
    url       = "http://localhost:1/h"
    interval  = 3
    threshold = 4
  }
}
resource "coder_env" "set" {
  agent_id = coder_agent.main.id
  name     = "A"
  value    = "x"
}
resource "coder_env" "empty" {
  agent_id = coder_agent.main.id
  name     = "B"
}
resource "coder_script" "start" {
  agent_id     = coder_agent.main.id
  display_name = "S"
  script       = "true"
  run_on_start = true
}
resource "coder_metadata" "main" {
  resource_id = coder_agent.main.id
  daily_cost  = 0
  item {
    key   = "a"
    value = "b"
  }
  item {
    key = "c"
  }
  item {
    key   = "d"
    value = ""
  }
}
resource "coder_devcontainer" "main" {
  agent_id         = coder_agent.main.id
  workspace_folder = "/w"
}
resource "coder_external_agent" "main" {
  agent_id = coder_agent.plain.id
}
resource "coder_ai_task" "main" {
  app_id = coder_app.code.id
}
