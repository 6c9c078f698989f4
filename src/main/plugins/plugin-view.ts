import type { PluginOffer, PluginView } from '../../shared/model/settings/plugins'
import { shownPath } from '../disk/interface/shown-path'
import type { KnownPlugin } from './known-plugins'
import { listOfferedTools, type OfferedPluginTool, type PluginSchema } from './offered-plugin-tools'
import type { RunLog } from './run-log'
import type { SchemaCache } from './schema-cache'

interface ViewParts {
  readonly schemas: SchemaCache
  readonly log: RunLog
  readonly builtInNames: readonly string[]
}

/** Makes the settings view of plugins, with what is known of each by now. */
export function viewOf(all: readonly KnownPlugin[], parts: ViewParts): PluginView[] {
  const { schemas, log, builtInNames } = parts
  const said = (one: KnownPlugin) =>
    one.state === 'trusted' && one.content !== undefined
      ? schemas.now(one.name, one.content.hash)
      : undefined
  const spoken = all.flatMap((one): readonly PluginSchema[] => {
    const schema = said(one)
    return typeof schema === 'object' ? [{ plugin: one.name, schema }] : []
  })
  const tools = listOfferedTools(spoken, builtInNames)
  return all.map((one) => {
    const { name, path, state, place, content, why } = one
    const schema = said(one)
    return {
      name,
      shown: shownPath(path),
      state,
      content:
        place === undefined || content === undefined
          ? null
          : {
              kind: place.kind,
              hash: content.hash,
              sizeBytes: content.sizeBytes,
              files: content.files.length,
            },
      problem: why ?? (typeof schema === 'string' ? schema : null),
      offer: offerOf(
        spoken.find(({ plugin }) => plugin === name),
        tools,
      ),
      isAsked: state === 'trusted' && content !== undefined && schemas.isAsked(name, content.hash),
      runs: [...log.of(name)],
    }
  })
}

function offerOf(
  said: PluginSchema | undefined,
  tools: readonly OfferedPluginTool[],
): PluginOffer | null {
  if (said === undefined) return null
  return {
    tools: tools
      .filter(({ plugin }) => plugin === said.plugin)
      .map(({ schema: { name, description }, problem }) => ({
        name,
        description,
        problem: problem ?? null,
      })),
    hooks: [...said.schema.hooks],
    notes: [...said.schema.notes],
  }
}
