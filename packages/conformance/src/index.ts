export type { Line } from './line.ts';
export type { PlayOptions, Result } from './play.ts';
export type {
  AgentCall,
  AgentResult,
  AgentStart,
  AgentUnderTest,
  ConnectAgent,
} from './stages/agent-stage.ts';
export type { ComputerStart, ComputerUnderTest, OpenComputer } from './stages/computer-stage.ts';
export { type AgentOptions, playAgent } from './targets/agent.ts';
export { type ComputerOptions, playComputer } from './targets/computer.ts';
export { playServer, type ServerOptions } from './targets/server.ts';
