import path from 'node:path'
import { z } from 'zod'
import {
  choiceKey,
  countKey,
  flagKey,
  type KeyDescription,
  type KeySpec,
  keySpec,
  rangeKey,
  textKey,
} from './key-spec'

const isName = (item: string) => item.trim() !== ''
const isFolder = (item: string) =>
  isName(item) &&
  !item.includes('\0') &&
  (path.isAbsolute(item.trim()) || /^~($|[/\\])/.test(item.trim()))

/** A list in which an item that cannot be used costs itself alone. */
const list = (
  expected: string,
  item: NonNullable<KeySpec<unknown>['item']>,
  about: KeyDescription,
): KeySpec<readonly string[], undefined> => ({
  ...keySpec<readonly string[]>(
    z.array(z.string().trim().refine(item.isUsable)),
    expected,
    'list',
    about,
  ),
  item,
})
const names = { isUsable: isName, expected: 'a text' }
const folders = { isUsable: isFolder, expected: 'an absolute path, or one that begins with ~/' }

/** The other keys of config.toml and local.toml. `api_key` is not among them: it is no value to show. */
export const plainTable = {
  model: textKey({ group: 'model', name: 'Default model', words: 'Used for new conversations.' }),
  base_url: textKey({
    group: 'model',
    name: 'Endpoint',
    words: 'Any server that speaks OpenAI’s chat completions or Responses API.',
  }),
  username: textKey(
    {
      group: 'model',
      name: 'Your name',
      words: 'Written as the sender of your messages.',
    },
    'user',
  ),
  context_window_limit: countKey(
    0,
    {
      group: 'model',
      name: 'Context window',
      words: 'In tokens; 0 uses the provider’s value.',
    },
    0,
  ),
  warn_threshold_percent: rangeKey(
    0,
    100,
    {
      group: 'model',
      name: 'Warn at',
      words: 'Percent of the context window at which a warning appears.',
    },
    80,
  ),
  fuel: countKey(
    0,
    {
      group: 'run',
      name: 'Fuel',
      words: 'Rounds of tools in one run before it stops; 0 is no limit.',
    },
    30,
  ),
  fuel_empty_response_cost: countKey(
    0,
    {
      group: 'run',
      name: 'Cost of an empty answer',
      words: 'Fuel used by an empty answer or a repeated call.',
    },
    15,
  ),
  fallback_tool: choiceKey(
    ['call_user', 'call_agent'],
    {
      group: 'run',
      name: 'After an answer',
      words:
        'call_user returns the turn to you; call_agent lets the model continue until its fuel is used up.',
    },
    'call_user',
  ),
  reflection_enabled: flagKey(
    {
      group: 'run',
      name: 'Reflection',
      words: 'The model may keep notes for every conversation in prompts/reflection.md.',
    },
    true,
  ),
  reflection_character_limit: countKey(
    0,
    { group: 'run', name: 'Longest reflection', words: 'In bytes.' },
    10_000,
  ),
  no_tool_calls: flagKey(
    { group: 'tools', name: 'No tools', words: 'The model gets no tools.' },
    false,
  ),
  file_tools_allowed_paths: list('a list of folders', folders, {
    group: 'tools',
    name: 'Folders for file tools',
    words: 'Absolute, or from ~/. Without one there are no file tools.',
  }),
  'tools.include': list('a list of texts', names, {
    group: 'tools',
    name: 'Only these tools',
    words: 'If set, no other tool is offered. A context’s list replaces the home’s.',
  }),
  'tools.exclude': list('a list of texts', names, {
    group: 'tools',
    name: 'Never these tools',
    words: 'The lists of the home and of a context are combined.',
  }),
  'tools.exclude_categories': list('a list of texts', names, {
    group: 'tools',
    name: 'Never tools of these kinds',
    words: 'builtin, file, agent or coding. The lists of the home and of a context are combined.',
  }),
  tool_output_cache_threshold: countKey(
    0,
    {
      group: 'tools',
      name: 'Longest output',
      words: 'In characters; longer output goes to a file, and the model gets its beginning.',
    },
    4000,
  ),
  tool_cache_preview_chars: countKey(
    0,
    { group: 'tools', name: 'Beginning of a long output', words: 'In characters.' },
    500,
  ),
  auto_compact: flagKey(
    {
      group: 'compaction',
      name: 'Summarize automatically',
      words: 'Earlier messages are summarized for the model; the transcript keeps them.',
    },
    false,
  ),
  auto_compact_threshold: rangeKey(
    0,
    100,
    {
      group: 'compaction',
      name: 'Summarize automatically at',
      words: 'Percent of the context window.',
    },
    80,
  ),
  rolling_compact_drop_percentage: rangeKey(
    0,
    100,
    {
      group: 'compaction',
      name: 'Share to summarize',
      words: 'Percent of the messages at a time.',
    },
    50,
  ),
  'storage.partition_max_entries': countKey(
    1,
    {
      group: 'storage',
      name: 'Entries per partition',
      words: 'A full partition is archived, and a new one begins.',
    },
    1000,
  ),
  'storage.partition_max_tokens': countKey(
    1,
    { group: 'storage', name: 'Tokens per partition', words: 'Estimated from its bytes.' },
    100_000,
  ),
  'storage.partition_max_age_seconds': countKey(
    60,
    { group: 'storage', name: 'Age of a partition', words: 'In seconds; 2592000 are 30 days.' },
    30 * 24 * 3600,
  ),
  'storage.bytes_per_token': countKey(
    1,
    { group: 'storage', name: 'Bytes per token', words: 'Used to estimate tokens.' },
    3,
  ),
  'storage.enable_bloom_filters': flagKey(
    {
      group: 'storage',
      name: 'Search filters for partitions',
      words: 'A search skips what cannot match, also in a copy of this home on another machine.',
    },
    true,
  ),
  lock_heartbeat_seconds: countKey(
    1,
    {
      group: 'storage',
      name: 'Heartbeat of a lock',
      words: 'Seconds; every program that uses this home must agree on it.',
      place: 'config',
    },
    30,
  ),
} as const satisfies Readonly<Record<string, KeySpec<unknown>>>
