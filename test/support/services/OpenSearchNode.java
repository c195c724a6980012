import java.util.List;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * One node of OpenSearch: {@code java -cp 'JARS/*' OpenSearchNode.java FOLDER OWNER NAME=VALUE...}, where the values
 * are settings of the node. The runner's own command line cannot choose a port.
 */
class OpenSearchNode {
  public static void main(String[] args) {
    var node = new OpenSearchRunner();
    node.onBuild((number, settings) -> {
      for (var setting : List.of(args).subList(2, args.length)) {
        var equals = setting.indexOf('=');
        var name = setting.substring(0, equals);
        var value = setting.substring(equals + 1);
        if (value.contains(",")) settings.putList(name, value.split(","));
        else settings.put(name, value);
      }
    });
    node.build(OpenSearchRunner.newConfigs().basePath(args[0]).numOfNode(1));
    // Whoever runs the tests may be killed, and leaves nothing behind.
    ProcessHandle.of(Long.parseLong(args[1])).ifPresent(owner -> owner.onExit().join());
    Runtime.getRuntime().halt(0);
  }
}
