export { offeredTools } from './prompt/offered-tools'
export { callTool, usualToolLimits } from './run/call-tool'
export { notifyToolResult } from './run/tool-round'
