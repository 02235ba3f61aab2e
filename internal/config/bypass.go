package config

import "github.com/spf13/pflag"

// BypassVariable is the variable of the setting that allows a database role that row-level
// security does not bind. Its name says what it gives up, so that nobody sets it by
// accident.
const BypassVariable = "REQUISITE_ALLOW_SUPERUSER_THAT_BYPASSES_TENANT_ISOLATION"

// BypassFlag is the flag of the same setting.
const BypassFlag = "allow-superuser-that-bypasses-tenant-isolation"

func bindBypass(flags *pflag.FlagSet, allowed *bool) {
	flags.BoolVar(allowed, BypassFlag, false, "start with a database role that row-level security does not bind; for development alone")
	Env(flags, BypassFlag, BypassVariable)
}
