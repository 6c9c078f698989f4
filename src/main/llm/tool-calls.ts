export { callTool, usualToolLimits } from './call-tool'
export { offeredTools } from './offered'
export { tellToolResult } from './tool-round'
