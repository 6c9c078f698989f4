import { z } from 'zod'

/**
 * Names of the systems whose histories Skein reads, for people, by id; the order is that of lists. The id is the name on
 * the command line, in links and of the reader's folder. A sign for each is in `renderer/ui/controls/SourceMark.tsx`.
 */
const labels = {
  chibi: 'chibi',
  'claude-code': 'Claude Code',
  cycod: 'cycod',
  fluux: 'fluux-agent',
  voicemode: 'voicemode',
  codex: 'Codex CLI',
  copilot: 'GitHub Copilot',
  cline: 'Cline, Roo Code',
  aider: 'aider',
  'lm-studio': 'LM Studio',
  gemini: 'Gemini CLI',
  antigravity: 'Antigravity',
  qwen: 'Qwen Code',
  droid: 'Factory Droid',
  kimi: 'Kimi',
  'grok-build': 'Grok Build',
  chatgpt: 'ChatGPT',
  'claude-ai': 'Claude.ai',
  deepseek: 'DeepSeek',
  grok: 'Grok',
  'gemini-apps': 'Gemini app',
  'ai-studio': 'Google AI Studio',
  librechat: 'LibreChat',
  opencode: 'OpenCode',
  cursor: 'Cursor',
  goose: 'Goose',
  jan: 'Jan',
  zed: 'Zed',
  crush: 'Crush',
  pi: 'pi',
  openclaw: 'OpenClaw',
  'open-webui': 'Open WebUI',
  llm: 'llm',
  skein: 'Skein export',
} as const

/** A source, by its id. */
export const SourceId = z.enum(Object.keys(labels) as (keyof typeof labels)[])
export type SourceId = z.infer<typeof SourceId>

/** Returns the name of a source for people; what was given where it is no source. */
export function sourceLabel(source: string): string {
  const known = SourceId.safeParse(source)
  return known.success ? labels[known.data] : source
}
