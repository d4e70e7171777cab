"""The Review page: rounds of pairs, answered one by one."""
