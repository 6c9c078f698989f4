import { defaultPreferences } from '../../../../src/shared/model/settings/settings'
import { type MemoryHomeOptions, summaryOf } from '../../harness/memory-home'
import { answered, type RowDraft, rowsOf, said } from '../../harness/rows'

/** A home with two short conversations and nothing special. */
export function quietHome(
  drafts: readonly RowDraft[] = [said('hi'), answered('hello')],
): MemoryHomeOptions {
  return {
    status: {
      phase: 'ready',
      home: {
        path: '/home/mira/.chibi',
        shown: '~/.chibi',
        exists: true,
        contexts: 2,
        sample: false,
      },
      version: '0.1.0',
      platform: 'linux',
    },
    settings: {
      preferences: { ...defaultPreferences, theme: 'light', contrast: 'normal' },
      provider: 'endpoint',
      model: { value: 'm', origin: 'settings', where: 'Settings' },
      baseUrl: { value: 'https://openrouter.ai/api/v1', origin: 'default', where: 'default' },
      username: { value: 'user', origin: 'default', where: 'default' },
      key: { present: true },
      keychain: 'strong',
      ready: true,
      faults: [],
    },
    contexts: [
      {
        summary: summaryOf('garden', { updated: '2026-11-28T09:00:00.000Z' }),
        rows: rowsOf(drafts),
      },
      {
        summary: summaryOf('kitchen', { updated: '2026-11-27T09:00:00.000Z' }),
        rows: rowsOf([said('soup?'), answered('soup.')], { file: 'kitchen.jsonl' }),
      },
    ],
  }
}
