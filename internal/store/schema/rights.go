package schema

import (
	"context"
	"fmt"
	"strings"

	"requisite/internal/store/db"
)

// Program is a program whose role has rights of its own.
type Program string

const (
	API    Program = "api"
	Worker Program = "worker"
)

// access is what the program's role may do. A program is not ready while any of it is missing. So a
// right that only the previous release needs must be granted separately.
func (p Program) access() access {
	if p == Worker {
		return ofWorker()
	}
	return ofAPI()
}

// Missing lists the rights that a role lacks for a program, such as "INSERT on business". An empty
// role is the role of the connection. It does not list a table, column or function that does not
// exist: a newer release may have removed it.
func Missing(ctx context.Context, q db.Querier, p Program, role string) ([]string, error) {
	may := p.access()
	var tables, verbs, columns, policies, protected []string
	for table, rights := range may.tables {
		for _, right := range rights {
			verb, list, some := strings.Cut(right, "(")
			names := []string{""} // for the whole table
			if some {
				names = strings.Split(strings.TrimSuffix(list, ")"), ",")
			}
			for _, name := range names {
				tables, verbs, columns = append(tables, table), append(verbs, strings.TrimSpace(verb)), append(columns, strings.TrimSpace(name))
			}
		}
	}
	for _, policy := range may.policies {
		policies, protected = append(policies, policy.name), append(protected, policy.table)
	}
	missing, err := db.Column[string](ctx, q, `
		WITH who AS MATERIALIZED (SELECT coalesce(nullif($7, ''), current_user)::name AS role)
		SELECT 'USAGE on the schema' FROM who WHERE NOT has_schema_privilege(who.role, 'public', 'USAGE')
		UNION
		SELECT format('%s on %s', r.verb, c.relname)
		FROM who, unnest($1::text[], $2::text[], $3::text[]) AS r (name, verb, col)
			JOIN pg_class c ON c.relname = r.name AND c.relnamespace = 'public'::regnamespace
			LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = r.col AND NOT a.attisdropped
		WHERE CASE WHEN r.col = '' THEN NOT has_table_privilege(who.role, c.oid, r.verb) ELSE NOT has_column_privilege(who.role, c.oid, a.attnum, r.verb) END
		UNION
		SELECT format('EXECUTE on %s', p.proname) FROM who, pg_proc p
		WHERE p.pronamespace = 'public'::regnamespace AND p.proname = ANY ($4::text[]) AND NOT has_function_privilege(who.role, p.oid, 'EXECUTE')
		UNION
		SELECT format('the policy %s of %s', w.name, c.relname)
		FROM who, unnest($5::text[], $6::text[]) AS w (name, protected)
			JOIN pg_class c ON c.relname = w.protected AND c.relnamespace = 'public'::regnamespace
		WHERE NOT EXISTS (SELECT FROM pg_policy p, unnest(p.polroles) AS holder
			WHERE p.polrelid = c.oid AND starts_with(p.polname, w.name || '_') AND holder <> 0 AND pg_has_role(who.role, holder, 'USAGE'))
		ORDER BY 1`, tables, verbs, columns, may.functions, policies, protected, role)
	if err != nil {
		return nil, fmt.Errorf("look for missing rights: %w", err)
	}
	return missing, nil
}

// Bypass returns why row-level security does not confine roles to one tenant. It is empty if it
// does. Without roles, it checks the roles of the connection.
func (s Schema) Bypass(ctx context.Context, roles ...string) (why string, err error) {
	err = s.conn.QueryRow(ctx, `
		SELECT CASE
			WHEN bool_or(r.rolsuper) THEN 'it is a superuser'
			WHEN bool_or(r.rolbypassrls) THEN 'it has BYPASSRLS'
			WHEN bool_or(EXISTS (SELECT FROM pg_roles o WHERE (o.rolsuper OR o.rolbypassrls) AND pg_has_role(r.oid, o.oid, 'MEMBER')))
				THEN 'it is a member of a role that is a superuser or has BYPASSRLS'
			WHEN bool_or(EXISTS (
				SELECT FROM pg_class c
				WHERE c.relnamespace = 'public'::regnamespace
					AND c.relkind IN ('r', 'p')
					AND pg_has_role(r.oid, c.relowner, 'MEMBER')))
				THEN 'it owns the tables, or is a member of the role that does'
			WHEN bool_or(EXISTS (SELECT FROM pg_policy p, unnest(p.polroles) AS holder
				WHERE holder <> 0 AND pg_get_expr(p.polqual, p.polrelid) = 'true' AND pg_has_role(r.oid, holder, 'MEMBER')))
				THEN 'it reads the rows of every tenant, as the role of starter migrate --read-role does'
			ELSE '' END
		FROM pg_roles r WHERE r.rolname = ANY ($1::text[]) OR $1::text[] IS NULL AND r.rolname IN (current_user, session_user)`, roles).Scan(&why)
	if err != nil {
		return "", fmt.Errorf("look at the rights of the database role: %w", err)
	}
	return why, nil
}
