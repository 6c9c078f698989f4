import { aiStudioReader } from './ai-studio/ai-studio'
import { aiderReader } from './aider/aider'
import { antigravityReader } from './antigravity/antigravity'
import { chatgptReader } from './chatgpt/chatgpt'
import { chibiReader } from './chibi'
import { claudeAiReader } from './claude-ai/claude-ai'
import { claudeCodeReader } from './claude-code/claude-code'
import { clineReader } from './cline/cline'
import { codexReader } from './codex/codex'
import type { HistoryReader } from './common/reader'
import { copilotReader } from './copilot/copilot'
import { crushReader } from './crush/crush'
import { cursorReader } from './cursor/cursor'
import { cycodReader } from './cycod/cycod'
import { deepseekReader } from './deepseek/deepseek'
import { droidReader } from './droid/droid'
import { fluuxReader } from './fluux/fluux'
import { geminiReader } from './gemini/gemini'
import { geminiAppsReader } from './gemini-apps/gemini-apps'
import { gooseReader } from './goose/goose'
import { grokReader } from './grok/grok'
import { grokBuildReader } from './grok-build/grok-build'
import { janReader } from './jan/jan'
import { kimiReader } from './kimi/kimi'
import { librechatReader } from './librechat/librechat'
import { llmReader } from './llm/llm'
import { lmStudioReader } from './lm-studio/lm-studio'
import { openWebuiReader } from './open-webui/open-webui'
import { openclawReader } from './openclaw/openclaw'
import { opencodeReader } from './opencode/opencode'
import { piReader } from './pi/pi'
import { qwenReader } from './qwen/qwen'
import { skeinReader } from './skein/skein'
import { voicemodeReader } from './voicemode/voicemode'
import { zedReader } from './zed/zed'

/** Every history system that Skein reads. A new one is one line here. */
export const readers: readonly HistoryReader[] = [
  chibiReader,
  claudeCodeReader,
  cycodReader,
  fluuxReader,
  voicemodeReader,
  codexReader,
  copilotReader,
  clineReader,
  aiderReader,
  lmStudioReader,
  opencodeReader,
  cursorReader,
  gooseReader,
  openWebuiReader,
  janReader,
  zedReader,
  crushReader,
  llmReader,
  piReader,
  openclawReader,
  geminiReader,
  antigravityReader,
  qwenReader,
  droidReader,
  kimiReader,
  grokBuildReader,
  chatgptReader,
  claudeAiReader,
  deepseekReader,
  grokReader,
  geminiAppsReader,
  aiStudioReader,
  librechatReader,
  skeinReader,
]
