export { callTool, usualToolLimits } from './call-tool'
export { offeredTools } from './offered'
export { notifyToolResult } from './tool-round'
