"""The schema's versions, each frozen: numbered SQL that never imports the models of today."""
