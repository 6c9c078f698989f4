import { type ConversationTables, msOfNumber } from '../tables/conversation-tables'

/** The tables of Crush's `crush.db`. Copies of files are left out. */
export const crushTables: ConversationTables = {
  id: 'crush',
  heads: {
    table: 'sessions',
    key: 'id',
    columns: ['parent_session_id', 'title', 'created_at', 'updated_at', 'summary_message_id'],
    changedMs: msOfNumber('updated_at'),
  },
  messages: {
    table: 'messages',
    key: 'session_id',
    ids: ['id'],
    columns: [
      ...['role', 'model', 'provider', 'created_at', 'updated_at', 'finished_at'],
      'is_summary_message',
    ],
    data: 'parts',
    order: ['created_at'],
    changedMs: msOfNumber('updated_at'),
  },
  sums: {
    columns: ['parent_session_id', 'prompt_tokens', 'completion_tokens', 'cost'],
    isAnswer: "role = 'assistant'",
  },
}
