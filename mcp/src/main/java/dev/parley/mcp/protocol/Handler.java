package dev.parley.mcp.protocol;

/** Answers calls of a tool, a prompt or a resource. */
public interface Handler {
  /**
   * Does what was asked. It may take its time, and looks at {@link Call#isCancelled} if it waits.
   *
   * @throws RpcException if the request is not one that it can answer
   */
  Reply answer(Call call) throws InterruptedException;
}
