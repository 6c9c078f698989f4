import { z } from 'zod'
import { LibraryKey } from '../conversation/conversation'
import { calendarSteps } from './calendar'
import { StatisticsMark } from './marks'
import { StatisticsFilter } from './selection'
import { Statistics } from './statistics-shape'

/** A question for statistics. */
export const StatisticsQuestion = z.object({
  filter: StatisticsFilter,
  /** Of the usage over time; chosen by its length where it is absent. */
  step: z.enum(calendarSteps).optional(),
})
export type StatisticsQuestion = Readonly<z.infer<typeof StatisticsQuestion>>

/** A question for the conversations that a mark of such an answer stands for. */
export const MarkQuestion = z.object({ filter: StatisticsFilter, mark: StatisticsMark })
export type MarkQuestion = Readonly<z.infer<typeof MarkQuestion>>

/** A value to filter by; null is none, with the number of conversations that have it. */
const Choice = z.object({ name: z.string().nullable(), conversations: z.int() })

/** Numbers of conversations that were read, and of all; both 0 before they were listed. */
const Reading = z.object({ read: z.int(), total: z.int(), isDone: z.boolean() })

/** The conversations of a mark, by what is known now. */
export const MarkedConversations = z.object({
  keys: z.array(LibraryKey),
  reading: Reading,
  /** Number of conversations of which not all could be read: they may belong to them. */
  unread: z.int(),
})
export type MarkedConversations = Readonly<z.infer<typeof MarkedConversations>>

/** Statistics by what is known now. */
export const StatisticsAnswer = z.object({
  statistics: Statistics,
  /** Of the longest conversation. */
  longest: LibraryKey.nullable(),
  /** Values to filter by, of all conversations; those of most conversations first. */
  choices: z.object({
    sources: z.array(Choice),
    projects: z.array(Choice),
    models: z.array(Choice),
  }),
  reading: Reading,
  /** Parts that could not be read, a sentence each; the first hundred. */
  unread: z.array(z.string()),
  unreadTotal: z.int(),
})
export type StatisticsAnswer = Readonly<z.infer<typeof StatisticsAnswer>>
