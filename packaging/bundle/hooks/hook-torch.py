"""Replaces PyInstaller's hook for torch, which takes everything: its libraries, and what it starts to share memory."""

from PyInstaller.utils.hooks import collect_dynamic_libs, get_package_paths

_folder = get_package_paths("torch")[1]
binaries = collect_dynamic_libs("torch", search_patterns=["*.dll", "*.dylib", "*.so", "*.so.*"])
binaries += [(f"{_folder}/bin/torch_shm_manager*", "torch/bin")]
datas = [(f"{_folder}/_dynamo/graph_break_registry.json", "torch/_dynamo")]
# torch looks for its libraries beside the file that it was loaded from.
bindepend_symlink_suppression = ["**/torch/lib/*.so*"]
