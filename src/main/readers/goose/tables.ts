import { type ConversationTables, msOfNumber, msOfText } from '../tables/conversation-tables'

/** The tables of Goose's `sessions.db`. Recipes, their values and the state of extensions are left out: they may hold keys. */
export const gooseTables: ConversationTables = {
  id: 'goose',
  heads: {
    table: 'sessions',
    key: 'id',
    columns: [
      ...['name', 'description', 'user_set_name', 'session_type', 'parent_session_id'],
      ...['working_dir', 'created_at', 'updated_at', 'schedule_id'],
      ...['provider_name', 'model_config_json'],
    ],
    changedMs: msOfText('updated_at'),
  },
  messages: {
    table: 'messages',
    key: 'session_id',
    ids: ['message_id', 'id'],
    columns: ['role', 'created_timestamp', 'metadata_json'],
    data: 'content_json',
    order: ['id'],
    changedMs: msOfNumber('created_timestamp'),
  },
  sums: {
    columns: ['accumulated_total_tokens', 'accumulated_input_tokens', 'accumulated_output_tokens'],
    isAnswer: "role = 'assistant'",
    ledger: {
      table: 'usage_ledger',
      key: 'session_id',
      columns: ['cost', 'cache_read_tokens'],
    },
  },
}
