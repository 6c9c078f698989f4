import { z } from 'zod'
import {
  MarkedConversations,
  MarkQuestion,
  StatisticsAnswer,
  StatisticsQuestion,
} from '../../model/statistics/answer'
import { call, event } from '../wire/primitives'

/** Calls and events of the statistics view. */
export const statisticsContract = {
  /** Statistics by what is known now; the first call begins to read every conversation. */
  read: call(StatisticsQuestion, StatisticsAnswer),
  /** The conversations that a mark of such an answer stands for, by what is known now; the first call begins to read every conversation. */
  conversations: call(MarkQuestion, MarkedConversations),
  /** The answers may be other ones now; at most one a second, and none until statistics are read again. */
  changed: event(z.object({})),
}
