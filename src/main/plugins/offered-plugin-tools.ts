import type { Schema, ToolSchema } from './schema'

/** The schema that one plugin printed. */
export interface PluginSchema {
  readonly plugin: string
  readonly schema: Schema
}

/** A tool of a plugin, and the problem that keeps it from the model, if any. */
export interface OfferedPluginTool {
  readonly plugin: string
  readonly schema: ToolSchema
  readonly problem: string | undefined
}

/**
 * Lists the tools of all plugins, in their order. A name belongs to Skein's own tool, else to the first plugin that
 * has it; the others get a problem.
 */
export function listOfferedTools(
  plugins: readonly PluginSchema[],
  builtInNames: readonly string[],
): readonly OfferedPluginTool[] {
  const taken = new Map(builtInNames.map((name) => [name, 'Skein has a tool of this name.']))
  return plugins.flatMap(({ plugin, schema: { tools } }) =>
    tools.map((schema) => {
      const problem = taken.get(schema.name)
      if (problem === undefined)
        taken.set(schema.name, `The plugin ${plugin} has a tool of this name and takes precedence.`)
      return { plugin, schema, problem }
    }),
  )
}
