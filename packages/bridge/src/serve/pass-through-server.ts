import { Server } from '@modelcontextprotocol/server';

type WrappedHandler = ReturnType<Server['_wrapHandler']>;

/**
 * A low-level MCP server that sends results of tools as they are. The SDK's own validates them: content of unknown types
 * becomes an error, and unknown fields are dropped. Relies on a protected method of the SDK, whose version is pinned.
 */
export class PassThroughServer extends Server {
  protected override _wrapHandler(method: string, handler: WrappedHandler): WrappedHandler {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler);
  }
}
