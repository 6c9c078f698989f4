import { z } from 'zod'
import { calendarSteps } from './calendar'
import { Spread } from './spread'
import { TokenCounts } from './token-counts'

const Count = z.int()
const CountByName = z.record(z.string(), z.number())
/** As the provider gave it, in its currency; null where no record names one. */
const Cost = z.number().nullable()

/** Usage of a model or a project in a stretch of days, both ends counted. */
export const UsageRow = TokenCounts.extend({
  from: z.string(),
  until: z.string(),
  /** The model or project; null for records without one. */
  name: z.string().nullable(),
  cost: Cost,
  conversations: Count,
})
export type UsageRow = Readonly<z.infer<typeof UsageRow>>

/** Numbers of spoken and heard entries. Values that a record does not name count as `unknown`. */
export const SpeechNumbers = z.object({
  exchanges: Count,
  /** Utterances of a person that were heard, and those that were spoken. */
  heard: Count,
  spoken: Count,
  words: z.object({ heard: Count, spoken: Count }),
  byProvider: CountByName,
  byTransport: CountByName,
  byVoice: CountByName,
  /** Seconds, by the names that the records use: `ttfa`, `gen`, `play`, `record`, `stt`. */
  timing: z.record(z.string(), Spread),
  /** Seconds from one side's record to the other side's next. */
  turnaround: Spread.nullable(),
  silenceDetection: z.object({ on: Count, off: Count }),
  errors: Count,
  /** Numbers of them by the seconds that they took, `until` excluded. */
  turnarounds: z.array(
    z.object({
      from: z.number(),
      until: z.number().nullable(),
      turns: Count,
      conversations: Count,
    }),
  ),
})
export type SpeechNumbers = Readonly<z.infer<typeof SpeechNumbers>>

/** Output of `stats --json`, and of the statistics view. Entries that several conversations share count once. */
export const Statistics = z.object({
  /** Those with an entry that is counted. */
  conversations: Count,
  /** Trees that they form; one that shares nothing is a tree alone. */
  families: Count,
  entries: z.object({
    total: Count,
    bySource: CountByName,
    byType: CountByName,
    byRole: CountByName,
    /** Days and hours of this machine's time zone. Entries without a time count at the day their conversation began. */
    byDay: CountByName,
    /** `00` to `23`; of entries with a time alone. */
    byHour: CountByName,
    /** Calls, by the tool's name. */
    byTool: CountByName,
    byModel: CountByName,
  }),
  /** Amounts of text in bytes of UTF-8. */
  bytes: z.object({
    total: Count,
    /** `tool` has both what tools were called with and what they answered. */
    byRole: CountByName,
    /** Answers of tools. */
    toolOutput: Count,
    /** The same by the tool's name; `unknown` where an answer belongs to no call. */
    outputByTool: CountByName,
  }),
  tokens: TokenCounts.extend({ byModel: z.record(z.string(), TokenCounts) }),
  cost: Cost,
  averages: z.object({ entries: z.number(), byRole: CountByName }),
  longest: z
    .object({ source: z.string(), key: z.string(), title: z.string(), entries: Count })
    .nullable(),
  /** Days of `byDay`, the newest first. */
  days: z.array(
    z.object({
      day: z.string(),
      conversations: Count,
      entries: Count,
      user: Count,
      agent: Count,
      tool: Count,
    }),
  ),
  /** Of what was spoken and heard; null where nothing was. */
  speech: SpeechNumbers.nullable(),
  /** Entries with those that conversations repeat of each other. */
  entriesWithRepeats: Count,
  /** Entries by weekday (1 for Monday to 7) and hour; of entries with a time alone, and hours that have some. */
  hours: z.array(z.object({ weekday: Count, hour: Count, entries: Count, conversations: Count })),
  /** Tools with their calls and with results that are failures, most called first. */
  tools: z.array(
    z.object({
      tool: z.string(),
      calls: Count,
      conversations: Count,
      failures: Count,
      failedIn: Count,
    }),
  ),
  models: z.array(
    TokenCounts.extend({ model: z.string(), entries: Count, conversations: Count, cost: Cost }),
  ),
  projects: z.array(
    TokenCounts.extend({
      project: z.string().nullable(),
      entries: Count,
      conversations: Count,
      cost: Cost,
    }),
  ),
  /** Conversations by their entries, shared ones included; `until` excluded. */
  lengths: z.array(z.object({ from: Count, until: Count.nullable(), conversations: Count })),
  branches: z.object({
    /** Families with more than one branch. */
    forked: Count,
    /** Ends of branches of all families. */
    leaves: Count,
    /** Families by their branches; `until` excluded. */
    steps: z.array(
      z.object({ from: Count, until: Count.nullable(), families: Count, conversations: Count }),
    ),
  }),
  /** Tokens and cost over time: of records with a day alone. */
  usage: z.object({
    step: z.enum(calendarSteps),
    byModel: z.array(UsageRow),
    byProject: z.array(UsageRow),
  }),
})
export type Statistics = Readonly<z.infer<typeof Statistics>>
