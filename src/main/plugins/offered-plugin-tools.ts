import type { Schema, ToolSchema } from './schema'

/** What one plugin has said. */
export interface PluginSchema {
  readonly plugin: string
  readonly schema: Schema
}

/** A tool of a plugin, and why the model is not told of it. */
export interface OfferedPluginTool {
  readonly plugin: string
  readonly schema: ToolSchema
  readonly problem: string | undefined
}

/**
 * The tools of all plugins, in their order. A name is given once: to what Skein has itself, then to the first that asks
 * for it; the others are passed over, and say so.
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
        taken.set(schema.name, `The plugin ${plugin} has a tool of this name, and comes before.`)
      return { plugin, schema, problem }
    }),
  )
}
