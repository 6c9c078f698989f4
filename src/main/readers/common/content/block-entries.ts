import type { TimelessEntry } from '../drafts'
import { namelessTool } from '../tool-names'
import type { BlockPart } from './blocks'

/** Names of those who speak in entries, besides the person. */
export interface PartSpeakers {
  readonly model: string
  /** The program's name, for what it puts into a person's mouth. */
  readonly program: string
}

/** Converts a part of a record to its entry, which has no time yet. */
export function entryOfPart(part: BlockPart, { model, program }: PartSpeakers): TimelessEntry {
  const { content } = part
  switch (part.type) {
    case 'words': {
      const { injectedAs: rawType, images, attachments } = part
      // Nobody's words but the program's, or those of the model that called a subagent.
      const from = rawType === undefined ? 'user' : rawType === 'sidechain' ? model : program
      const who = part.isAssistant
        ? ({ from: model, to: 'user', role: 'agent' } as const)
        : ({ from, to: model, role: 'user' } as const)
      const metadata = {
        ...(rawType === undefined ? {} : { injected: true, raw_type: rawType }),
        ...(images.length === 0 ? {} : { images }),
        ...(attachments.length === 0 ? {} : { attachments }),
      }
      return { ...who, content, entry_type: 'message', metadata }
    }
    case 'thought':
      return {
        from: model,
        to: 'user',
        content,
        entry_type: 'reasoning',
        ...(part.isRedacted ? { metadata: { raw_type: 'redacted_thinking' } } : {}),
      }
    case 'call':
      return {
        from: model,
        to: part.name || namelessTool,
        content,
        entry_type: 'tool_call',
        ...(part.id === undefined ? {} : { tool_call_id: part.id }),
        ...(part.rawType === undefined ? {} : { metadata: { raw_type: part.rawType } }),
      }
    case 'result': {
      const { images, attachments, isError, rawType } = part
      return {
        from: namelessTool,
        to: model,
        content,
        entry_type: 'tool_result',
        ...(part.id === undefined ? {} : { tool_call_id: part.id }),
        metadata: {
          ...(isError ? { is_error: true } : {}),
          ...(rawType === undefined ? {} : { raw_type: rawType }),
          ...(images.length === 0 ? {} : { images }),
          ...(attachments.length === 0 ? {} : { attachments }),
        },
      }
    }
    case 'system':
      return {
        from: model,
        to: 'user',
        content,
        entry_type: 'message',
        role: 'system',
        metadata: { raw_type: part.rawType },
      }
    case 'boundary':
      return {
        from: model,
        to: 'user',
        content,
        entry_type: 'compaction',
        metadata: { raw_type: part.rawType },
      }
    case 'unknown':
      return {
        from: model,
        to: 'user',
        content,
        entry_type: 'unknown',
        metadata: { raw_type: part.rawType },
      }
  }
}
